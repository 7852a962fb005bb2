"""The charts of a report, made with Matplotlib.

Importing these modules loads Matplotlib, which takes most of a second. So only the report imports
them, when it draws its first chart.
"""
