// Name resolution as the new machine will see it: its name servers are queried for its name and its addresses. An
// installer compares the answers character by character. Pure but for the queries.

import { parseAddress, reverseName } from '../../../ground/addresses/address.ts';
import { canonicalName } from '../../../ground/addresses/domain-name.ts';
import type { Answered } from '../../../services/dns-dhcp/dns-question.ts';
import type { Addressing } from '../addressing.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import { divided, type Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { Questions } from '../shell.ts';

const DNS = ['dns', 'Name and addresses in DNS'] as const;
const IN_USE = ['address-free', 'Address of the appliance'] as const;
/** More name servers than resolvers ask. */
const MOST_SERVERS = 3;

/** Of an appliance. */
const MOST_ADDRESSES = 8;
const [DNS_PORT, DISCARD_PORT] = [53, 9];
const WAY_ADDRESS = 'Check the address in the properties.';

export interface Asking {
  questions: Pick<Questions, 'dns' | 'inUse'>;
  looks: Looks;
  gate: Pick<Gate, 'refusal' | 'isOwn'>;
}

/** @param saves whether the deployment saves the records itself, later */
export async function checkNames(
  { questions, looks, gate }: Asking,
  addressing: Addressing,
  saves: boolean,
): Promise<Check[]> {
  const { fqdn, name_servers } = addressing;
  const addresses = addressing.addresses.slice(0, MOST_ADDRESSES);
  if (fqdn === null) {
    return [warning(DNS, 'No property says the whole name of the appliance.', 'See that its name resolves both ways.')];
  }
  if (addresses.length === 0) {
    return [warning(DNS, 'Its address comes from DHCP.', `See that ${fqdn} resolves both ways to what it is given.`)];
  }
  if (name_servers.length === 0) {
    return [warning(DNS, 'No property names a name server.', 'The appliance will resolve no name; enter one.')];
  }
  const asked = addresses.flatMap(({ family, address }) => [
    `${fqdn}/${family === 4 ? 'A' : 'AAAA'}`,
    `${reverseName(parseAddress(address)!)}/PTR`,
  ]);
  const servers = name_servers.slice(0, MOST_SERVERS);
  return Promise.all(
    servers.map(async (server) => {
      const named = [servers.length > 1 ? `${DNS[0]} ${server}` : DNS[0], DNS[1]] as const;
      const fault = gate.refusal(server, DNS_PORT);
      if (fault !== null) return warning(named, `${server} was not asked. ${fault}`, WAY_ADDRESS);
      looks.asked('name_servers', [server]);
      return judgeServer(named, server, await questions.dns(server, [...new Set(asked)]), { fqdn, addresses }, saves);
    }),
  );
}

const SAVED =
  'The deployment saves the records only once the machine runs, and its first start may need them: save and apply them before, with Generate FQDNs.';

function judgeServer(
  named: readonly [string, string],
  server: string,
  answers: readonly Answered[],
  { fqdn, addresses }: Pick<Addressing, 'fqdn' | 'addresses'>,
  saves: boolean,
): Check {
  if (answers.every(({ rcode }) => rcode === null)) {
    return warning(
      named,
      `${server} does not answer this appliance; whether it answers the new one cannot be seen from here.`,
      'Check the address of the name server.',
    );
  }
  const of = (question: string) => answers.find((one) => one.question === question)?.answers ?? [];
  const faults: string[] = [];
  let absent = 0;
  for (const { family, address } of addresses) {
    const forward = of(`${fqdn}/${family === 4 ? 'A' : 'AAAA'}`).filter((text) => parseAddress(text) !== null);
    const reverse = of(`${reverseName(parseAddress(address)!)}/PTR`).map(canonicalName);
    if (forward.length === 0) absent++;
    if (reverse.length === 0) absent++;
    faults.push(...forwardFaults(fqdn!, forward, address), ...reverseFaults(fqdn!, reverse, address));
  }
  if (faults.length === 0) return ok(named, `${server} resolves ${fqdn} both ways, as an installer asks for it.`);
  const said = `${server}: ${faults.join('; ')}.`;
  // What is only missing may be there in time; the deployment itself saves it, but late.
  if (saves && absent === faults.length) return warning(named, said, SAVED);
  return refused(named, said, 'Correct the records at this name server, or the properties.');
}

function forwardFaults(fqdn: string, forward: readonly string[], address: string): string[] {
  if (forward.length === 0) return [`${fqdn} has no address`];
  const same = forward.some((text) => parseAddress(text)!.text === address);
  if (!same) return [`${fqdn} is ${forward.join(', ')}, not ${address}`];
  return forward.length === 1 ? [] : [`${fqdn} has ${forward.length} addresses, an installer takes one`];
}

function reverseFaults(fqdn: string, reverse: readonly string[], address: string): string[] {
  if (reverse.length === 0) return [`${address} has no name`];
  if (!reverse.includes(fqdn)) return [`${address} is ${reverse.join(', ')}, not ${fqdn}`];
  return reverse.length === 1 ? [] : [`${address} has ${reverse.length} names, an installer takes one`];
}

export async function checkInUse(
  { questions: { inUse }, looks, gate }: Asking,
  { addresses }: Addressing,
): Promise<Check[]> {
  if (addresses.length === 0) return [];
  const named = [...new Set(addresses.slice(0, MOST_ADDRESSES).map(({ address }) => address))];
  const own = named.filter((address) => gate.isOwn(address));
  if (own.length > 0) {
    const said = `${own.join(', ')} belongs to this appliance.`;
    return [refused(IN_USE, said, 'Choose a free address.')];
  }
  const { open, faults } = divided(gate, named, DISCARD_PORT);
  looks.asked('addresses', open);
  const used = open.length === 0 ? [] : await inUse(open);
  if (used.length === 0 && faults.length > 0) {
    return [warning(IN_USE, `Nobody was asked whether it is free. ${faults.join(' ')}`, WAY_ADDRESS)];
  }
  if (used.length === 0) return [ok(IN_USE, 'Nothing on the links of this appliance answers there.')];
  const said = used.map((one) => `${one.address}: ${one.said}`).join('; ');
  return [refused(IN_USE, `${said}.`, 'Choose a free address, or switch off what has it.')];
}
