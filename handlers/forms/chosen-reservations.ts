// Where what is done with many reservations begins and ends, and what is said then.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormFields } from '../../shared/kernel/operation/operation.ts';

export const listOfReservations = pagePath('dhcp-reservations');

/** Back to where the list stood; `became`: what they are now. */
export function chosenDone(fields: FormFields, count: number, became: string): { location: string; flash: string } {
  const place = new URLSearchParams();
  for (const name of ['search', 'sort', 'cursor']) if (fields.text(name) !== '') place.set(name, fields.text(name));
  const words = count === 1 ? '1 reservation is' : `${count} reservations are`;
  const query = place.size > 0 ? `?${place}` : '';
  return { location: `${listOfReservations}${query}`, flash: `${words} ${became}.` };
}
