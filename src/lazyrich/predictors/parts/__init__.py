"""What predictors are made of: dual problems, certificates, paths, checks of arguments."""
