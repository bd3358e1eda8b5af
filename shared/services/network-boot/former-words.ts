// Facts of network boot from the words of reviews that the release before facts stored. These words are fixed, whatever
// the words are today. Settings and listeners were remembered as well.
import type { Data, Facts } from '../../platform/units/facts.ts';
import type { NetworkBootDesired } from './desired.ts';
import { facts } from './facts.ts';

type Read = (match: readonly (string | undefined)[]) => Data;
const because =
  (why: string): Read =>
  ([, listener = '']) => ({ why, listener });

/** Beginning of the setting, kind of the fact, and patterns of the value. */
const FORMER: readonly [begins: string, kind: string, values: readonly [RegExp, Read][]][] = [
  [
    'machines of the scope ',
    'scope',
    [
      [/^boot from (.*)$/, ([, listener = '']) => ({ listener })],
      [/^get no boot listener: its boot listener is (.*), where /, because('chosen-silent')],
      [/^get no boot listener: network boot answers nowhere /, because('nowhere')],
      [/^get no boot listener: network boot answers on several /, because('several')],
      [/^get no boot listener: it has no gateway that leads to (.*)$/, because('no-gateway')],
      [/^get no boot listener: its gateway is the appliance, .* on (\S*) only$/, because('own-gateway')],
    ],
  ],
  [
    'Kickstart ',
    'kickstart',
    [
      [
        /^revision (\w*)(?:, values of vaults: (.*))?$/,
        ([, revision = '', taken]) => ({ revision, vault_values: taken?.split(', ') ?? [] }),
      ],
    ],
  ],
  ['medium ', 'medium', [[/^content (\w*)$/, ([, content = '']) => content]]],
  [
    'host ',
    'host',
    [
      [
        /^(\S+), (?:address of a range|(\S+)), (?:no Kickstart|Kickstart (.*?)), (?:no medium|medium (.*?))(?:, variables (\w{12}))?$/,
        ([, mac = '', address = '', kickstart = null, medium = null, variables = '']) => {
          return { mac, address, kickstart, medium, variables };
        },
      ],
    ],
  ],
];

/** Longest value. Longer words are none of ours, and the patterns would be slow on them; root reads them, too. */
const longest = (kind: string): number => (kind === 'kickstart' ? 16_384 : 1024);
/** Members that a remembered state of that release lacks. */
const NOTHING = { scopes: [], own_addresses: [], hosts: [], kickstarts: [], media: [] };

export function fromWords(words: ReadonlyMap<string, string>, remembered: NetworkBootDesired): Facts {
  const told = [...words].flatMap(([setting, value]): [string, Data][] => {
    const [begins, kind, values] = FORMER.find(([start]) => setting.startsWith(start)) ?? ['', '', []];
    if (value.length > longest(kind)) return [];
    for (const [shape, read] of values) {
      const match = shape.exec(value);
      if (match) return [[`${kind} ${setting.slice(begins.length)}`, read(match)]];
    }
    return [];
  });
  return new Map([...facts({ ...NOTHING, ...remembered }), ...told]);
}
