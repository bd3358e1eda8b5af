// Settings of the web terminal: where it can be opened, and how long and how often.

import * as v from 'valibot';
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitSettings } from '../../platform/units/settings.ts';
import { flag, listenInterfaces, whole } from '../../platform/units/settings-schemas.ts';

const MEMBERS = {
  enabled: flag('Whether a terminal of the appliance can be opened in the browser.'),
  listen_interfaces: listenInterfaces('Interfaces at whose addresses it can be opened, by name.'),
  idle_minutes: whole(1, 60, 'Minutes without input after which a session ends:'),
  session_minutes: whole(5, 480, 'Minutes after which a session ends in any case:'),
  sessions: whole(1, 16, 'Sessions at the same time:'),
  sessions_per_user: whole(1, 4, 'Sessions of one user at the same time:'),
  recording: flag('Whether what terminals print is recorded, sealed. What is typed is not.'),
  recording_days: whole(1, 365, 'Days that a recording is kept:'),
  recording_megabytes: whole(
    64,
    16_384,
    'Megabytes that all recordings may have; once they are full, no terminal opens until some are deleted:',
  ),
};

export const webTerminalSettings: UnitSettings<typeof MEMBERS> = {
  key: 'web-terminal',
  unit: 'web-terminal',
  component: 'WebTerminal',
  tag: 'Web terminal',
  name: 'the web terminal',
  resource: 'terminal',
  path: '/api/v1/web-terminal',
  page: pagePath('web-terminal'),
  schema: v.strictObject(MEMBERS),
  example: { enabled: true, listen_interfaces: ['ens192'], idle_minutes: 15 },
  defaults: {
    enabled: false,
    listen_interfaces: [],
    idle_minutes: 15,
    session_minutes: 60,
    sessions: 4,
    sessions_per_user: 1,
    recording: false,
    recording_days: 30,
    recording_megabytes: 1024,
  },
  listens: 'required',
  describes: 'It has no port of its own: it is part of the management UI at the addresses of these interfaces.',
};
