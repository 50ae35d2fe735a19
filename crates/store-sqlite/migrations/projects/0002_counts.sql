-- For whoever plans and runs queries, kept up to date with every change, more rows of meta: how many nodes there are of each label
-- and how many edges of each type (JSON arrays whose places are the numbers of labels and types), and whether an edge may end at
-- no node.
INSERT INTO meta (key, value) VALUES ('labels', '[]'), ('relations', '[]'), ('loose_ends', 0);
