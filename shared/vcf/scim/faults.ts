// What a SCIM service refuses (RFC 7644, 3.12): of one object, which is told of it alone, or of everything, which ends the push.
// Its own words are in them, without the token.
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import type { PinnedAnswer } from '../connection/exchange.ts';
import { scrub } from '../vcf-api/scrub.ts';

/** One object was refused; the others go on. */
export class ScimRefusal extends Error {
  readonly status: number;
  readonly scim_type: string;

  constructor(status: number, scim_type: string, message: string) {
    super(message);
    this.name = 'ScimRefusal';
    this.status = status;
    this.scim_type = scim_type;
  }

  /** Another object at the target has the name. */
  get isConflict(): boolean {
    return this.status === 409 || this.scim_type === 'uniqueness';
  }
}

const errorSchema = v.looseObject({
  scimType: v.nullish(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,32}$/))),
  detail: v.nullish(v.string()),
});

/** Characters of its words that are kept. */
const WORDS_MOST = 300;

function wordsOf({ body }: PinnedAnswer, token: string): { scim_type: string; words: string } {
  try {
    const read = v.safeParse(errorSchema, JSON.parse(body.toString('utf8')));
    if (!read.success) return { scim_type: '', words: '' };
    const said = scrub(read.output.detail ?? '', { secrets: [token] }).slice(0, WORDS_MOST);
    return {
      scim_type: read.output.scimType ?? '',
      words: said && ` It says: ${/[.!?]$/.test(said) ? said : `${said}.`}`,
    };
  } catch {
    return { scim_type: '', words: '' };
  }
}

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'The target does not take it as it is.',
  404: 'It is gone at the target; the next push makes it anew.',
  409: 'The target has another object with this name.',
  412: 'It was changed at the target meanwhile; the next push tries it again.',
  413: 'It is too large for the target.',
};

/**
 * The refusal of one object.
 * @throws Problem 409 where the target takes nothing at all
 */
export function refusalOf(answer: PinnedAnswer, server: string, token: string): ScimRefusal {
  const { status } = answer;
  const { scim_type, words } = wordsOf(answer, token);
  if (status === 401)
    throw new Problem(
      'remote_login_refused',
      `${server} does not accept the token (status 401). It may have expired or been replaced: make a new one there, and enter it here.${words}`,
    );
  if (status === 403)
    throw new Problem('remote_refused', `The token may not provision users at ${server} (status 403).${words}`);
  if (status >= 300 && status < 400)
    throw new Problem(
      'remote_answer_unusable',
      `${server} sends the request elsewhere (status ${status}); that is not followed. Check the base URL.`,
    );
  const said = BY_STATUS[status] ?? `The target refused it (status ${status}).`;
  return new ScimRefusal(status, scim_type, `${said}${words}`);
}
