// The URL of the dialog has its inputs, so that it can be shared, reloaded and bookmarked.
import { pagePath } from '../../ground/page-paths.ts';

export const HELPER = pagePath('vcf-helper');
export const GENERATED = pagePath('generated-fqdns');

/** Inputs that the address holds, in the order of the form. */
export const INPUTS = ['catalog', 'prefix', 'suffix', 'domain', 'start_ipv4_cidr', 'start_ipv6_cidr'] as const;
export type Inputs = Record<(typeof INPUTS)[number], string>;

/** The URL of the dialog, without empty inputs. `more`: `confirm=delete`, `check=true`. */
export function dialogHref(inputs: Partial<Inputs>, more: Record<string, string> = {}, path: string = HELPER): string {
  const query = new URLSearchParams(path === HELPER ? { tool: 'generated-fqdns' } : {});
  for (const name of INPUTS) if (inputs[name]) query.set(name, inputs[name]);
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${path}?${query}`;
}
