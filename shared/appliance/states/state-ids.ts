// The words for the state of a unit.

/**
 * `off`: nothing of it runs or is meant to. `saved`: an apply would change nothing by it (a row of a service that is off).
 * `pending`: an apply would change it. `rehearsed`: applied where nothing is enforced. `drifted`: somebody changed the host.
 * `failing`: the service does not answer as applied. `not_enforced`: no apply of this release makes it true.
 */
export const STATE_IDS = [
  'off',
  'saved',
  'pending',
  'in_force',
  'rehearsed',
  'drifted',
  'failing',
  'not_enforced',
] as const;
export type StateId = (typeof STATE_IDS)[number];
