"""What the documents of the student programs claim, beside what is measured here."""
