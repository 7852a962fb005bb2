"""The charts of a report, made with Matplotlib.

Importing these modules loads Matplotlib, which takes most of a second, so the report imports them
when the first chart is drawn and nothing else does.
"""
