// An appliance's codes for a depot that it can't use, in plain words: the meaning, what to do, and where.
import { pagePath } from '../../ground/page-paths.ts';
import type { Blocker } from '../../ground/problems.ts';
import { Problem } from '../../ground/problems.ts';
import { TRUST_TASK } from '../remote/wizard.ts';
import type { RemoteDepot } from '../vcf-api/depot.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';

const DEPOT_PAGE = pagePath('offline-depot');
const DEPOT_LINK = 'Open the offline depot';

interface WayOut {
  /** What to do. */
  unblock: string;
  /** The page, and the text of the link. */
  page: string;
  link: string;
}

interface Meaning extends WayOut {
  /** After `The appliance`. */
  says: (url: string) => string;
}

const TRUST: WayOut = {
  unblock:
    'Make the appliance trust the root certificate of this appliance’s authority with the task Certificate trust, then try again. Where it trusts it already, its depot service may need a restart to notice.',
  page: TRUST_TASK.path,
  link: 'Open certificate trust',
};

/** Status → its meaning. */
const STATUSES: Readonly<Record<string, Meaning>> = {
  DEPOT_UNKNOWN_HOST: {
    says: (url) => `does not know the host of ${url}`,
    unblock: 'Give it DNS servers that know the name of the depot, or create the record that is missing.',
    page: pagePath('dns'),
    link: 'Open DNS',
  },
  DEPOT_NOT_AVAILABLE: {
    says: (url) => `does not reach ${url}`,
    unblock:
      'Look whether the depot answers on a network that the appliance reaches, and whether a firewall is between.',
    page: DEPOT_PAGE,
    link: DEPOT_LINK,
  },
  DEPOT_USER_NOT_SET: {
    says: () => 'did not take the user name of the depot',
    unblock: 'Try again; if it stays so, look at the depot settings in the appliance’s own user interface.',
    page: DEPOT_PAGE,
    link: DEPOT_LINK,
  },
  DEPOT_INVALID_CREDENTIAL: {
    says: () => 'says that the user name or the password of the depot is wrong',
    unblock: `They were checked here before they were sent, so its reason is most likely another one: an appliance that does not trust the certificate of the depot says the same. ${TRUST.unblock}`,
    page: TRUST.page,
    link: TRUST.link,
  },
  UNKNOWN_FAILURE: {
    says: (url) => `failed to use ${url} and does not say why`,
    unblock: `Its trust in the certificate of the depot is the first thing to look at. ${TRUST.unblock}`,
    page: TRUST.page,
    link: TRUST.link,
  },
};

/** The refusal for a depot that was saved but can't be used. `status`: null when the appliance reports none. */
export function unusableDepot({ status, message }: Pick<RemoteDepot, 'status' | 'message'>, url: string): Problem {
  const known = status === null ? undefined : STATUSES[status];
  const { says, ...out } = known ?? {
    says: () =>
      status === null
        ? `saved ${url}, but does not tell whether it can use it`
        : `has the depot ${url} in a state that is not known here (${status})`,
    unblock: 'Look at the depot settings in the appliance’s own user interface.',
    page: DEPOT_PAGE,
    link: DEPOT_LINK,
  };
  const words = message !== null && message !== status ? ` It adds: ${ended(message)}` : '';
  return refusal(`The appliance ${says(url)}.${words}`, out);
}

const UNTRUSTED = /secure protocol|certificate|pkix|\bssl\b|\btls\b|handshake|not trusted/i;
const NO_URL = /invalid.{0,20}\burl\b|\burl\b.{0,20}(?:invalid|not valid)/i;

/** A fault of setting the depot, with what to do about the two kinds that are known; any other as it is. */
export function refusedDepot(fault: unknown, url: string): unknown {
  if (!(fault instanceof ApplianceFault) || fault.words.message === null) return fault;
  const { message, error_code } = fault.words;
  if (error_code === 'VMWARE_DEPOT_CONNECT_FAILURE' || UNTRUSTED.test(message)) {
    return refusal(`The appliance does not trust the certificate of ${url}. It says: ${ended(message)}`, TRUST);
  }
  if (NO_URL.test(message)) {
    return refusal(`The appliance takes ${url} for no valid URL. It says: ${ended(message)}`, {
      unblock: 'Some builds refuse names that end in .lab or .local: give the depot a host name in another domain.',
      page: DEPOT_PAGE,
      link: DEPOT_LINK,
    });
  }
  return fault;
}

/** The refusal for a synchronisation that failed. */
export function failedSync(error: string | null, old: boolean): Problem {
  const said = error === null ? 'It does not say why.' : `It says: ${ended(error)}`;
  const begun = old
    ? 'The appliance did not begin a new synchronisation; the last one failed.'
    : 'The appliance could not synchronise with the depot.';
  const compatibility = /compatibility data/i.test(error ?? '');
  return refusal(`${begun} ${said}`, {
    unblock: compatibility
      ? 'VmwareCompatibilityData.json, which belongs to SDDC_MANAGER_VCF, is missing in the depot, or the appliance can’t read it: download the metadata into the depot again.'
      : 'Look whether the depot holds the metadata of this release, then configure it again.',
    page: DEPOT_PAGE,
    link: DEPOT_LINK,
  });
}

function refusal(said: string, { unblock, page, link }: WayOut): Problem {
  const blocker: Blocker = { subject: 'Offline depot', reason: unblock, page, unblock: link };
  return new Problem('remote_refused', `${said} ${unblock}`, { blockers: [blocker] });
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
