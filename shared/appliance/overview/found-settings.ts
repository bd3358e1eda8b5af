// Settings by their names and what they are for, each with the page of its form. Loaded for a search alone: it needs the
// schemas of all units.
import { getDescription } from 'valibot';
import type { Scope } from '../../kernel/access/scopes.ts';
import { SETTINGS } from '../settings.ts';

export interface FoundSetting {
  /** `Allowed clients` */
  name: string;
  /** Whose it is: `NTP`. */
  of: string;
  href: string;
}

interface Known extends FoundSetting {
  scope: Scope;
  said: string;
}

/** The beginning of a description without its examples, which are names and values. */
const plain = (description: string): string =>
  description.slice(0, 160).replaceAll(/\S*[\w][._:/][\w]\S*|\S*[\d_]\S*/g, '');

const LETTERS = /\b(?:crl|dns|http|ldaps?|nts|tftp|ttl|uefi|url)\b/g;

/** Of a member: `DNS servers`. */
const nameOf = (words: string): string => {
  const spelled = words.replaceAll(LETTERS, (each) => each.toUpperCase());
  return `${spelled[0]!.toUpperCase()}${spelled.slice(1)}`;
};

const KNOWN: readonly Known[] = SETTINGS.flatMap(({ schema, tag, page, resource }) =>
  Object.entries(schema.entries as Record<string, Parameters<typeof getDescription>[0]>).map(([member, of]) => {
    const words = member.replaceAll('_', ' ');
    return {
      name: nameOf(words),
      of: tag,
      href: `${page}#${member}`,
      scope: `read:${resource}` as const,
      said: `${words} ${tag} ${plain(getDescription(of) ?? '')}`.toLowerCase(),
    };
  }),
);

/** Those that have each of the words; where a name itself has the first one, it comes first. Pure. */
export function findSettings(words: readonly string[], scopes: ReadonlySet<Scope>, most: number): FoundSetting[] {
  if (words.length === 0) return [];
  const names = ({ name }: Known): number => (name.toLowerCase().includes(words[0]!) ? 0 : 1);
  return KNOWN.filter(({ scope, said }) => scopes.has(scope) && words.every((word) => said.includes(word)))
    .toSorted((one, other) => names(one) - names(other))
    .slice(0, most)
    .map(({ name, of, href }) => ({ name, of, href }));
}
