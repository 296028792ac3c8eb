"""Controls for a drawing function. With a kernel the function draws live; on a page it is a flip-book or a program."""
