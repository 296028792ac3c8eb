"""The book's running example, *I saw a saw*: the machine of its four words, and the title page's picture of them."""
