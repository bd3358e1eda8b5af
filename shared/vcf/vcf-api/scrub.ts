// Removes secrets from texts of another machine: messages may repeat submitted values, whole, cut or encoded.

const REMOVED = '[removed]';
const MOST_CHARACTERS = 500;
/** A text that shares this many characters in a row with a secret loses them; shorter secrets count whole. */
const WINDOW = 8;

/** Things that look secret whatever was submitted. */
const SUSPECT: readonly [RegExp, string][] = [
  // JSON Web Tokens, whole or cut.
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g, REMOVED],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${REMOVED}`],
  // Member or parameter, in JSON, a query or a log line.
  [
    /(["']?[\w.-]*(?:passw(?:or)?d|passphrase|secret|token|activation_?code|api_?key)["']?\s*[:=]\s*)(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,;&})\]]+)/gi,
    `$1${REMOVED}`,
  ],
  // Userinfo of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']*@/gi, `$1${REMOVED}@`],
];

export interface Submitted {
  /** Passwords, tokens, codes: any longer part of them is taken out too. */
  secrets?: readonly string[];
  /** User names, where people type a password by mistake now and then. Removed when they appear whole. */
  names?: readonly string[];
}

/** One line of at most 500 characters, without control and invisible characters, and without submitted secrets. */
export function scrub(text: string, { secrets = [], names = [] }: Submitted = {}): string {
  // Cut first: the comparison below takes time by the length of the text.
  let clean = text.slice(0, 8 * MOST_CHARACTERS);
  for (const secret of secrets) for (const form of formsOf(secret)) clean = withoutParts(clean, form);
  for (const name of names) for (const form of formsOf(name)) clean = withoutWhole(clean, form);
  for (const [pattern, replacement] of SUSPECT) clean = clean.replace(pattern, replacement);
  const line = clean.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line;
}

/** How a text can come back: as it is, in JSON, in a URL, in HTML, in Base64, in hexadecimal. */
function formsOf(text: string): string[] {
  if (text === '') return [];
  const bytes = Buffer.from(text, 'utf8');
  const html = text.replace(/[&<>"']/g, (sign) => HTML[sign] ?? sign);
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams({ _: text }).toString().slice(2),
    html,
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...(text.length < WINDOW ? [] : hexadecimal(bytes)),
  ];
  return [...new Set(forms)];
}

/** Between two bytes of a dump: nothing, or one of these. */
const BETWEEN = ['', ' ', ':', '-', ', ', '\\x', '%', ', 0x'];

function hexadecimal(bytes: Buffer): string[] {
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  return BETWEEN.map((between) => digits.join(between));
}

const HTML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Every run of WINDOW characters that is also in the secret goes, whatever the case. */
function withoutParts(text: string, secret: string): string {
  const width = Math.min(WINDOW, secret.length);
  const hidden = secret.toLowerCase();
  const parts = new Set(Array.from({ length: hidden.length - width + 1 }, (_, at) => hidden.slice(at, at + width)));
  const lower = text.toLowerCase();
  // Lower-casing can change the length (İ): then positions differ, and nothing of the text is worth the risk.
  if (lower.length !== text.length || hidden.length !== secret.length) {
    return [...parts].some((part) => lower.includes(part)) ? REMOVED : text;
  }
  let clean = '';
  let kept = 0;
  for (let at = 0; at + width <= lower.length; at += 1) {
    if (!parts.has(lower.slice(at, at + width))) continue;
    let end = at + width;
    while (end < lower.length && parts.has(lower.slice(end - width + 1, end + 1))) end += 1;
    clean += text.slice(kept, at) + REMOVED;
    kept = end;
    at = end - 1;
  }
  return clean + text.slice(kept);
}

function withoutWhole(text: string, name: string): string {
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(pattern, 'gi'), REMOVED);
}

const SECRET_MEMBER = /passw(?:or)?d|passphrase|secret|token|code|apikey|api_key/i;
const NAME_MEMBER = /^user_?name$/i;

/** The secrets and names in a body that is about to be sent, by the names of its members, at any depth. */
export function submittedIn(body: unknown): Required<Submitted> {
  const found: { secrets: string[]; names: string[] } = { secrets: [], names: [] };
  const open: unknown[] = [body];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    for (const [member, value] of Object.entries(node)) {
      if (typeof value === 'object') open.push(value);
      else if (typeof value === 'string' && SECRET_MEMBER.test(member)) found.secrets.push(value);
      else if (typeof value === 'string' && NAME_MEMBER.test(member)) found.names.push(value);
    }
  }
  return found;
}
