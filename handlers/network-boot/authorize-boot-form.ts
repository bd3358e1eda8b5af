// The field that takes the code of any console and authorizes the host that it belongs to.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { AuditEvent } from '../../shared/kernel/audit/audit.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import {
  authorizationAnswer,
  authorizationEvents,
} from '../../shared/services/network-boot/boot/authorization-answer.ts';
import { authorizeByCode } from '../../shared/services/network-boot/boot/authorize.ts';
import { appliedNow } from '../../shared/services/network-boot/boot/retrieve.ts';
import { operation as authorizeBootOnce } from './authorize-boot-once.ts';

/** A code that fits no attempt: it is known who entered it, and not for which host. */
const MISFIT: AuditEvent = {
  action: 'network-boot.attempt.wrong-code',
  resource_type: 'boot_attempt',
  resource_id: null,
  outcome: 'failure',
};

const PAGE = pagePath('boot-waiting');

export const operation = defineForm(
  {
    of: authorizeBootOnce,
    path: PAGE,
    params: v.object({}),
    async run({ services, tx, actor, body, audit, afterCommit }) {
      const { boot_code } = body as { boot_code: string };
      const applied = await appliedNow(services);
      const { name: by, user_id } = actor;
      const done = await authorizeByCode(tx, services, { boot_code, applied, by, user_id: user_id! });
      for (const event of authorizationEvents(done)) audit(event);
      afterCommit(() => services.notify('pending'));
      if (done.refuse && done.counted.length === 0) audit(MISFIT);
      if (done.refuse) return { refuse: done.refuse };
      const { hostname } = done.issued.attempt;
      return { status: 202, body: { ...authorizationAnswer(done.issued), hostname } };
    },
  },
  {
    // An empty field is a slip and no guess: it is refused as missing.
    decode: (fields) => ({ boot_code: fields.text('boot_code') || undefined }),
    secret: ['boot_code'],
    done: (answer) => ({
      location: PAGE,
      flash: `${(answer.body as { hostname: string }).hostname} is authorized for one boot within ten minutes.`,
    }),
  },
);
