-- How many nodes there are of each label and how many edges of each type, for whoever plans a query: two more rows of meta,
-- each a JSON array whose places are the numbers of labels and types, kept up to date with every change.
INSERT INTO meta (key, value) VALUES ('labels', '[]'), ('relations', '[]');
