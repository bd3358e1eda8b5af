// What the files of chronyd may contain: each directive with its values. chrony.conf(5).
import { between, either, type Is, isAddress, isCidr, isName, oneOf, row } from '../../platform/host/grammar-words.ts';

/** Bytes of chronyd's line buffer (CNF_ReadFile of 4.3); it stops at a longer line. */
export const CHRONY_PIECE = 2_047;

const isSettings: Is = oneOf(
  ...['makestep 1.0 3', 'rtcsync', 'cmdport 0', 'port 0'],
  // Directives that name a file or folder, each with the only permitted one.
  'confdir /etc/groundcrew/chrony/conf.d',
  ...['sourcedir /etc/groundcrew/chrony/sources', 'pidfile /run/groundcrew/chronyd.pid'],
  ...['bindcmdaddress /run/groundcrew/chrony/chronyd.sock', 'driftfile /var/lib/groundcrew/chrony/drift'],
  'ntsdumpdir /var/lib/groundcrew/chrony',
  'ntsservercert /etc/groundcrew/chrony/nts.pem',
  'ntsserverkey /etc/groundcrew/private/ntp/tls.key',
);

export const isChronyLine = either(
  isSettings,
  row(' ', oneOf('minsources'), between(1, 64)),
  row(' ', oneOf('bindaddress'), isAddress),
);

/** Who is answered. */
export const isClients = either(oneOf('allow'), row(' ', oneOf('allow', 'deny'), either(isAddress, isCidr)));

/** At which stratum it answers by its own clock. */
export const isLocal = row(' ', oneOf('local'), oneOf('stratum'), between(1, 15));

/** What a running chronyd is told: the same lines, what they begin and end with, and that there is no local stratum. */
export const isCommand = either(isClients, isLocal, oneOf('allow all', 'deny', 'local off'));

/** A time source: a server or a pool, with its options. */
export const isSource: Is = (line) => {
  const [kind = '', host = '', ...options] = line.split(' ');
  const asked = ['server', 'pool'].includes(kind) && (isAddress(host) || isName(host));
  return asked && options.every(oneOf('iburst', 'nts', 'prefer'));
};
