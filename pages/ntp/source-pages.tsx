// The pages of time sources: fields, facts and words.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type NtpSource, ntpSources, SOURCE_KINDS } from '../../shared/services/ntp/sources.ts';
import { commonGroup, type ItemPages } from '../units/item-pages.tsx';
import { RowWord } from '../units/row-words.tsx';

export const NTP = { href: pagePath('ntp'), label: 'NTP' };
export const KIND_LABELS: Record<(typeof SOURCE_KINDS)[number], string> = {
  server: 'Server: one machine',
  pool: 'Pool: one name, several machines',
};

export const SOURCE_PAGES: ItemPages<NtpSource, null> = {
  collection: ntpSources,
  component: 'NtpSource',
  noun: 'source',
  what: 'NTP',
  home: NTP,
  base: `${NTP.href}/sources`,
  blank: { address: '', kind: 'server', nts: false, prefer: false, enabled: true, description: '' },
  load: async () => null,
  groups: () => [
    {
      legend: 'Where the time comes from',
      fields: [
        {
          name: 'address',
          label: 'Address',
          kind: 'text',
          mono: true,
          wide: true,
          required: true,
          placeholder: 'time1.lab.example',
          help: 'A host name, or an IPv4 or IPv6 address of another machine.',
        },
        {
          name: 'kind',
          label: 'Kind',
          kind: 'radio',
          options: SOURCE_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
        },
        {
          name: 'nts',
          label: 'NTS',
          kind: 'switch',
          text: 'Ask with Network Time Security',
          help: 'Its certificate names the host, so the source must be a host name.',
        },
        { name: 'prefer', label: 'Preference', kind: 'switch', text: 'Prefer it to equally good sources' },
      ],
    },
    commonGroup('source', 'A disabled source is kept but not used.'),
  ],
  state: (row, _extra, standings) => <RowWord standings={standings} of="source" row={row} />,
  facts: () => [],
  deleting: () => 'The appliance will no longer use it.',
};
