// The settings of the name service.
import { dnsDhcpSettings } from '../../../shared/services/dns-dhcp/settings.ts';
import { settingsPage } from '../../units/settings-page.tsx';
import { DNS } from './form-state.tsx';

export const page = settingsPage(dnsDhcpSettings, {
  title: 'DNS settings',
  what: 'DNS',
  intro: 'Which interfaces DNS listens on, and where it forwards other queries.',
  above: { href: DNS, label: 'DNS' },
  groups: [
    {
      legend: 'Where it answers',
      fields: [
        { name: 'enabled', label: 'Name service', kind: 'switch', text: 'Answer DNS queries' },
        {
          name: 'listen_interfaces',
          label: 'Listen on',
          kind: 'interfaces',
          help: 'DNS answers at the addresses of these interfaces.',
        },
        {
          name: 'allowed_clients',
          label: 'Clients',
          kind: 'list',
          placeholder: 'the appliance’s own networks',
          help: 'Networks or single addresses that may send queries, one a line, 64 at most. Empty: the appliance’s own networks, which are those of its interfaces and DHCP scopes in use. To add other networks to these, list “localnets” too; “any” admits everybody. The firewall enforces this list while it is on.',
        },
      ],
    },
    {
      legend: 'Forwarding',
      fields: [
        {
          name: 'upstream_servers',
          label: 'Upstream servers',
          kind: 'list',
          help: 'One address a line, #port at the end where it is not 53. If empty, queries for other names are refused.',
        },
        { name: 'cache_size', label: 'Cache size', kind: 'number', help: 'Answers kept in memory, 0 to 100000.' },
      ],
    },
    {
      legend: 'Local zones',
      fields: [
        {
          name: 'ttl_seconds',
          label: 'Time to live',
          kind: 'number',
          help: 'Seconds that clients may keep an answer: one value for all records, 0 to 86400.',
        },
        {
          name: 'domain',
          label: 'Search domain',
          kind: 'text',
          mono: true,
          placeholder: 'none',
          help: 'Completes names without a dot.',
        },
        { name: 'log_queries', label: 'Query log', kind: 'switch', text: 'Write every query to the system log' },
        {
          name: 'statistics',
          label: 'Statistics',
          kind: 'switch',
          text: 'Let clients read query statistics',
          help: 'Metrics take their counts from them. Every client can then ask for them, and for the version of dnsmasq.',
        },
      ],
    },
  ],
});
