"""Label data: reading, checking and counting ratings, and the table of labels that every figure starts from."""
