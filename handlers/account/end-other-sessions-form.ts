// Ends the user's sessions in other browsers.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { endSessions } from '../../shared/kernel/access/credentials.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

const PAGE = pagePath('account');

export const operation = defineForm(
  {
    id: 'endOtherSessionsForm',
    path: `${PAGE}/end-other-sessions`,
    access: { session: 'any' },
    tag: 'Account',
    summary: 'End your other sessions',
    description: 'Ends every session of the user except the calling one.',
    effect: 'immediate',
    // It takes rights away, which must be possible at any moment.
    guarded: false,
    audit: ['account.sessions.end'],
    async run({ tx, actor, request, audit }) {
      const sessions_ended = await endSessions(tx, actor.user_id!, request.now, actor.credential_id);
      const event = { action: 'account.sessions.end', resource_type: 'user', resource_id: actor.user_id };
      audit({ ...event, detail: { sessions_ended } });
      return { body: { sessions_ended } };
    },
  },
  {
    page: PAGE,
    decode: () => ({}),
    done: (answer) => ({
      location: PAGE,
      flash: `Other sessions that ended: ${(answer.body as { sessions_ended: number }).sessions_ended}.`,
    }),
  },
);
