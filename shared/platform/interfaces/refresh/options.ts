// DHCP options: values are the operator's text, but an address in it that was an interface's own follows that
// interface.

import { parseAddress } from '../../../ground/addresses/address.ts';
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import type { Change } from './change.ts';
import { hostOf, rehosted } from './listeners.ts';
import type { Move, OptionRow } from './snapshot.ts';

export interface FollowedOption {
  /** The option itself when nothing changes for it. */
  option: OptionRow;
  moves: Move[];
  blocker: Blocker | null;
}

/** Commas separate the values of an option; each is an address, a URL or a text. */
export function followOption(option: OptionRow, change: Pick<Change, 'replaced'>): FollowedOption {
  const values = option.value.split(',').map((value) => value.trim());
  const nothing = { option, moves: [], blocker: null };
  if (!values.some((value) => change.replaced.has(addressIn(value)))) return nothing;
  const followed = values.flatMap((value) => {
    const address = addressIn(value);
    if (!change.replaced.has(address)) return [value];
    const next = change.replaced.get(address);
    if (!next) return [];
    return [bare(value).includes('//') ? rehosted(value, change, []) : value.replace(bare(value), next)];
  });
  const words = { subject: `DHCP option ${option.code}`, page: pagePath('dhcp-option', option.id) };
  if (followed.length === 0) {
    if (!option.enabled) return nothing;
    const reason = `Its only value is ${option.value}, an address that would be gone.`;
    return { ...nothing, blocker: { ...words, reason, unblock: 'Give the option another value, or disable it.' } };
  }
  const next = { ...option, value: [...new Set(followed)].join(',') };
  return {
    option: next,
    moves: [{ ...words, unit: 'dns-dhcp', property: 'value', from: option.value, to: next.value }],
    blocker: null,
  };
}

/** dnsmasq takes IPv6 addresses of options in brackets. */
const bare = (value: string): string => value.replace(/^\[(.*)\]$/, '$1');

/** The address of a value, or of the URL in it; empty where there is none. */
const addressIn = (value: string): string =>
  parseAddress(bare(value))?.text ?? (value.includes('//') ? hostOf(value) : '');
