// The web terminal.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { webTerminalSettings } from '../../shared/services/web-terminal/settings.ts';
import { PageLink } from '../components/page-link.tsx';
import { settingsPage } from '../units/settings-page.tsx';

export const page = settingsPage(webTerminalSettings, {
  title: 'Web terminal',
  what: 'the web terminal',
  subject: 'web-terminal',
  intro:
    'A shell of this appliance in the browser, for administrators who know the password of an account in the group groundcrew-terminal.',
  facts: () => [
    { label: 'Terminal', value: <PageLink href={pagePath('web-terminal-shell')}>Open the terminal</PageLink> },
    { label: 'Files', value: <PageLink href={pagePath('terminal-files')}>Files of other machines</PageLink> },
    { label: 'Host keys', value: <PageLink href={pagePath('terminal-hosts')}>Confirmed host keys</PageLink> },
    { label: 'Recordings', value: <PageLink href={pagePath('terminal-recordings')}>Recordings of terminals</PageLink> },
  ],
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
        { name: 'idle_minutes', label: 'Idle limit (minutes)', kind: 'number' },
        { name: 'session_minutes', label: 'Session limit (minutes)', kind: 'number' },
      ],
    },
    {
      legend: 'How many',
      fields: [
        { name: 'sessions', label: 'Sessions in all', kind: 'number' },
        { name: 'sessions_per_user', label: 'Sessions of one user', kind: 'number' },
      ],
    },
    {
      legend: 'Recording',
      fields: [
        {
          name: 'recording',
          label: 'Record',
          kind: 'switch',
          text: 'Record what terminals print',
          help: 'Users are told before they sign in. What is typed is not recorded, but shells echo most of it. A terminal that can’t be recorded does not open.',
        },
        { name: 'recording_days', label: 'Kept for (days)', kind: 'number' },
        { name: 'recording_megabytes', label: 'Limit of all recordings (MB)', kind: 'number' },
      ],
    },
  ],
});
