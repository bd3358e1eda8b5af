// The web terminal: the ticket for its WebSocket.
import { MANIFEST_PATH } from '../../../shared/services/web-terminal/files.ts';
import { writeManifest } from '../../../shared/services/web-terminal/manifest.ts';
import { PASSWORD } from '../../setup/house.ts';
import type { Scenarios } from './scenario.ts';

const IN_FORCE = writeManifest({
  version: 1,
  listeners: [{ interface: 'ens192', address: '127.0.0.1' }],
  idle_minutes: 15,
  session_minutes: 60,
  sessions: 4,
  sessions_per_user: 1,
});

export const WEB_TERMINAL: Scenarios = {
  openTerminalForm: {
    given: async ({ house }) => {
      await house.services.host.write({ path: MANIFEST_PATH, content: IN_FORCE, mode: 0o640 });
      return {};
    },
    send: () => ({
      form: { account: 'operator', own_password: PASSWORD },
      over: { local: '127.0.0.1', remote: '127.0.0.1' },
    }),
    audit: ['terminal.ticket'],
  },
};
