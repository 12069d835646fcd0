"""Which settings do files hold that describe how servers are deployed?

`yaml_documents` which of these a YAML file is, and which servers it holds · `compose` services of Docker Compose,
`image` what their images are, `resources` what they may use · `kubernetes` option files inside YAML, `workload`
containers · `operators` custom resources, `operator_sizing` what operators compute · `option_mapping` options as keys ·
`terraform` parameter groups of RDS and flags of Cloud SQL, `cloudformation`, `describe_db_parameters` the same groups
in other forms, `parameter_group` what is special about those, `parameter_formula` their formulas, `cloud_sql` instances
as gcloud prints them."""
