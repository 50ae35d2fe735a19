//! What a programming language is to us.
