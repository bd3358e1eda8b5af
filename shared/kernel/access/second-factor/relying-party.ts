// Under which name passkeys work (WebAuthn, 5.1.2 and 13.4.9): a name that the appliance itself is configured with or shows a
// certificate for, by which the caller reaches it. A Host header only chooses among those. An address can have no passkeys.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export interface RelyingParty {
  rp_id: string;
  /** Exactly what the browser has to have signed. */
  origin: string;
}

/** What of the settings says how the management UI is reached. */
interface Reached {
  base_url: string;
  hostname: string;
  management_names?: readonly string[];
  management_shown?: { certificate: string };
}

interface Asked {
  headers: Record<string, string>;
  secure: boolean;
}

/** Null: reached by an address, by a name that is not the appliance's, or over plain HTTP, where no browser has passkeys. */
export function relyingParty(settings: Reached, { headers, secure }: Asked): RelyingParty | null {
  const host = (headers.host ?? '').toLowerCase();
  const origin = `${secure ? 'https' : 'http'}://${host}`;
  if (!URL.canParse(origin)) return null;
  const asked = new URL(origin);
  const name = asked.hostname;
  // A proxy of the operator's ends TLS: the browser sees what is configured.
  const configured = URL.canParse(settings.base_url) ? new URL(settings.base_url) : null;
  const seen = configured?.hostname === name ? configured : asked;
  if (asked.host !== host || !namesOf(settings, configured).has(name)) return null;
  const trusted = seen.protocol === 'https:' || name === 'localhost';
  return trusted ? { rp_id: name, origin: seen.origin } : null;
}

/** The same of an origin that a program names, for the browser of its user. Null for any but an exact one of the appliance. */
export function partyAt(settings: Reached, origin: string): RelyingParty | null {
  const asked = URL.canParse(origin) ? new URL(origin) : null;
  if (asked?.origin !== origin) return null;
  const configured = URL.canParse(settings.base_url) ? new URL(settings.base_url) : null;
  const trusted = asked.protocol === 'https:' || asked.hostname === 'localhost';
  return trusted && namesOf(settings, configured).has(asked.hostname) ? { rp_id: asked.hostname, origin } : null;
}

function namesOf({ hostname, management_names = [], management_shown }: Reached, configured: URL | null): Set<string> {
  const names = [
    'localhost',
    hostname,
    configured?.hostname ?? '',
    ...management_names,
    ...certified(management_shown),
  ];
  return new Set(
    names.map((name) => name.toLowerCase()).filter((name) => name !== '' && isIP(name) === 0 && !name.startsWith('[')),
  );
}

/** Names in the certificate that is shown, without those with a wildcard. */
function certified(shown: { certificate: string } | undefined): string[] {
  if (!shown?.certificate) return [];
  try {
    const { subjectAltName = '' } = new X509Certificate(shown.certificate);
    return [...subjectAltName.matchAll(/DNS:([A-Za-z0-9._-]+)(?=,|$)/g)].map(([, name]) => name!);
  } catch {
    return [];
  }
}

/** How to get where passkeys work. */
export const PASSKEY_NAMES = (hostname: string): string =>
  `A passkey is bound to a name, and a browser has passkeys over TLS alone: open the appliance as https://${hostname}, not by its address.`;
