// Names of services that share a port by name, in SQL: apart, because every operation loads what documents.ts has.

/**
 * SQL: whether the name, in lower case, is saved for a service that shares the port by name (names-at-a-port.ts); both are
 * expressions.
 */
export const isSharingName = (name: string, port: string): string => `EXISTS (SELECT 1 FROM unit_settings
  WHERE unit IN ('private-cloud-services', 'oidc')
    AND lower(document ->> 'hostname') = ${name} AND document ->> 'port' = ${port})`;
