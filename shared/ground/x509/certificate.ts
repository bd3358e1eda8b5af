// The facts of a remote machine's certificate for operators. Their size is limited, since the other side wrote them.
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export interface ObservedCertificate {
  /** `CN=vc01.lab.example, O=Lab`. */
  subject: string;
  issuer: string;
  /** RFC 3339 in UTC. */
  valid_from: string;
  valid_until: string;
  /** DNS names and addresses that it was issued for, at most 100. */
  names: string[];
  /** SHA-256 of its DER: `AA:BB:…`, 32 bytes. */
  sha256: string;
  /** SHA-1 of its DER, 20 bytes: only to compare with what a management server wrote down of it. */
  sha1: string;
  /** Hexadecimal digits, upper case. */
  serial: string;
  self_signed: boolean;
  expired: boolean;
  not_yet_valid: boolean;
  /** Whether it was issued for the requested name or address. */
  matches_host: boolean;
  /** `TLSv1.2` or `TLSv1.3`. */
  protocol: string;
}

/** `AA:BB:…` of a SHA-256. */
export const FINGERPRINT = /^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/;

const MOST_NAMES = 100;
const LONGEST_TEXT = 500;

/** Facts of the certificate at an instant, for the requested host. */
export function observed(
  certificate: X509Certificate,
  { host, protocol, now }: { host: string; protocol: string; now: Date },
): ObservedCertificate {
  const { validFromDate, validToDate } = certificate;
  return {
    subject: distinguished(certificate.subject),
    issuer: distinguished(certificate.issuer),
    valid_from: instantOf(validFromDate),
    valid_until: instantOf(validToDate),
    names: alternativeNames(certificate.subjectAltName ?? ''),
    sha256: certificate.fingerprint256,
    sha1: certificate.fingerprint,
    serial: oneLine(certificate.serialNumber),
    self_signed: isSelfSigned(certificate),
    expired: validToDate.getTime() < now.getTime(),
    not_yet_valid: validFromDate.getTime() > now.getTime(),
    matches_host: (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined,
    protocol,
  };
}

/** A date beyond what can be written stays readable; the certificate is odd enough to be looked at. */
const instantOf = (date: Date): string => (Number.isNaN(date.getTime()) ? 'unreadable' : date.toISOString());

function isSelfSigned(certificate: X509Certificate): boolean {
  if (certificate.subject !== certificate.issuer) return false;
  try {
    return certificate.verify(certificate.publicKey);
  } catch {
    // A kind of key that is not known here.
    return false;
  }
}

/** Node gives one attribute a line; empty names come as undefined. */
const distinguished = (text: string | undefined): string => oneLine((text ?? '').split('\n').join(', '));

/** Nothing in it breaks a line or turns the writing direction of what stands beside it. */
function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return plain.length > LONGEST_TEXT ? `${plain.slice(0, LONGEST_TEXT)}…` : plain;
}

/** `DNS:a, IP Address:192.0.2.1, DNS:"with, comma"` → names. Node quotes what could be taken for two. */
function alternativeNames(text: string): string[] {
  const found: string[] = [];
  for (const match of text.slice(0, 65_536).matchAll(/(?:^|, )(DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g)) {
    if (found.length === MOST_NAMES) break;
    const name = oneLine(match[2]!.replace(/^"|"$/g, '')).trim();
    if (name !== '' && !found.includes(name)) found.push(name);
  }
  return found;
}
