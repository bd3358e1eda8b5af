// What --help prints.

export const HELP = `groundcrew: the command line of the appliance's shell

  groundcrew token create --name PURPOSE --scope SCOPE [--scope SCOPE …] [--lifetime 7d] [--user admin]
      Creates an API token. Its secret is printed, alone, on standard output, once.
      A lifetime is a number with s, m, h or d: 1h to 365d, 30d when not named.
  groundcrew token list
      All tokens: id, state, user, expiry, purpose, scopes.
  groundcrew token revoke ID
      Stops a token at once, and every token that was created with it.
  groundcrew user reset-password NAME [--generate] [--keep-tokens]
      Sets a new password and ends the user's sessions and API tokens; --keep-tokens leaves the tokens.
      Asks on a terminal, otherwise reads one line from standard input; --generate makes a password
      and prints it.
  groundcrew user reset-second-factors NAME
      Removes all second factors and recovery codes of a user and ends the sessions: the way back in for who has
      lost them all. With a role that must have one, the next sign-in asks for a new one.
  groundcrew archive create [FILE] [--recipient age1… …] [--without-secrets]
      Writes what the appliance has to an archive: an age file, which the program age opens as well. Asks
      for a passphrase as above, or encrypts for recipients. --without-secrets leaves out all that holds
      a secret and encrypts nothing. Prints the name of the file.
  groundcrew archive inspect FILE [--identity FILE]
      What differs between an archive and now. Asks for its passphrase; --identity names a file with an
      identity of age instead. An archive of schema 2 in plain JSON is read as well, here and by restore:
      what has no place here is named on standard error.
  groundcrew archive restore FILE [--identity FILE] [--mode replace|merge|add-only] [--unit UNIT …] [--dry-run]
      Saves what an archive has; the host follows when it is reviewed and applied. merge removes nothing,
      add-only touches nothing that is there. The present database is kept as a snapshot first.
  groundcrew archive restore FILE --first-start [--identity FILE] [--leave-out UNIT …]
      A new appliance starts from an archive: all that it has is saved, and its accounts take the place of
      those that are here. In an empty folder it is the first start. Refused once anything was saved.
      On a machine with other adapters --leave-out network keeps those that were found.
  groundcrew audit verify
      Walks the chain of the audit log; exit code 1 when an event was changed or removed.
  groundcrew vault rotate-key
      Makes a new key for the values of the vaults, seals every entry's own key under it, and forgets
      the keys that nothing uses any more. The service may run meanwhile. One that was cut off is begun
      again; exit code 1 when an entry could not be taken along.
  groundcrew data snapshot
      Copies the database into the folder snapshots of the data folder, and prints the name of the copy. The service
      may run meanwhile. One is also made before each migration and each restore; of each occasion the newest 5 stay.
  groundcrew data list
      All snapshots, newest first: name, time, schema, occasion, size.
  groundcrew data restore NAME [--lose-values]
      Puts a snapshot in the database's place, with the service stopped; the present database is kept as a snapshot
      first. After an update, the former program works on the snapshot of its schema. A snapshot whose vault values
      no key opens any more is refused; --lose-values puts it back all the same.
  groundcrew data reset --confirm NAME
      Factory reset, with the service running or not: everything that was saved goes but for the interfaces over
      which the appliance is managed; the audit log, archives and files of the depot stay. All accounts go; admin
      gets a new password as at a first start. The present database is kept as a snapshot first, whose name is
      printed. NAME is that of the appliance.
  groundcrew openapi
      Prints the OpenAPI document of the REST API.

The data folder is GROUNDCREW_DATA, ./data when it is not set. Every change is an event of the audit log.
Exit codes: 0 done, 1 refused, 2 not understood.
`;
