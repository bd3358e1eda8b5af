// How a restore treats what the appliance has already.

/**
 * `replace`: what was chosen becomes what the archive has. `merge`: what it has is added or changed, and nothing is
 * removed. `add-only`: nothing that is there is touched.
 */
export const MODES = ['replace', 'merge', 'add-only'] as const;
export type Mode = (typeof MODES)[number];
