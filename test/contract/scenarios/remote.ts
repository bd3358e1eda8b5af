// Settings of connections to remote machines.
import type { Scenarios } from './scenario.ts';

export const REMOTE: Scenarios = {
  updateRemoteSettings: {
    given: async (scene) => ({ network: `10.${scene.next() & 255}.0.0/16` }),
    audit: ['remote.settings.update'],
  },
};
