// The web terminal.
import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(webTerminalSettings, {
  title: 'Web terminal',
  what: 'the web terminal',
  subject: 'web-terminal',
  intro: 'A shell on the appliance in the browser, for when no console is available.',
  later: 'No terminal can be opened yet.',
  groups: [
    {
      legend: 'Where it can be opened',
      fields: [
        { name: 'enabled', label: 'Web terminal', kind: 'switch', text: 'Offer a terminal to administrators' },
        {
          name: 'listen_interfaces',
          label: 'Offer on',
          kind: 'interfaces',
          help: 'Part of the management UI at the addresses of these interfaces, without a port of its own.',
        },
      ],
    },
    {
      legend: 'How long',
      fields: [
        { name: 'idle_minutes', label: 'Without input', kind: 'number' },
        { name: 'session_minutes', label: 'In any case', kind: 'number' },
      ],
    },
    {
      legend: 'How many',
      fields: [
        { name: 'sessions', label: 'Sessions', kind: 'number' },
        { name: 'sessions_per_user', label: 'Of one user', kind: 'number' },
      ],
    },
  ],
});
