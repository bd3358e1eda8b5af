// Text that one person types and others read: names, descriptions, notes. Readers must see all of it, in the stored order,
// so it has no control characters, no format characters (writing directions, zero-width signs) and no line breaks. The
// zero-width joiner is a format character: emoji joined from several are refused, plain ones are not.
import * as v from 'valibot';

const HIDDEN = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}';

/** Part of a schema of such a text. A text that was saved before this rule stays until it is changed. */
export const plainText = v.regex<string, string>(
  new RegExp(`^[^${HIDDEN}]*$`, 'u'),
  'Control characters and invisible characters are not accepted.',
);

const seen = (text: string): boolean => !new RegExp(`[${HIDDEN}]`, 'u').test(text);

/** The same rule for a member that was published without a pattern, so that its contract does not change. */
export const plainUnstated = v.check<string, string>(
  seen,
  'Control characters and invisible characters are not accepted.',
);

/** The same for a text that may have several lines. */
export const plainLines = v.check<string, string>(
  (text) => seen(text.replace(/[\t\n\r]/g, '')),
  'Control characters other than line breaks and invisible characters are not accepted.',
);

/** For fields of forms: a text that was saved before the rule existed must not refuse the edit of another field. */
export function withoutHidden(text: string): string {
  return text.replace(new RegExp(`[${HIDDEN}]+`, 'gu'), '');
}
