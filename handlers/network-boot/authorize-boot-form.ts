// The field that takes the code of any console and authorizes the host that it belongs to.
import * as v from 'valibot';
import { authorizationAnswer, authorizationEvents } from '../../shared/network-boot/authorization-answer.ts';
import { authorizeByCode } from '../../shared/network-boot/authorize.ts';
import { appliedNow } from '../../shared/network-boot/retrieve.ts';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { operation as authorizeBootOnce } from './authorize-boot-once.ts';

const PAGE = '/ui/management/network-boot/waiting';

export const operation = defineForm(
  {
    of: authorizeBootOnce,
    path: PAGE,
    access: { session: 'write:pxe' },
    params: v.object({}),
    async run({ services, tx, actor, body, audit, afterCommit }) {
      const { boot_code } = body as { boot_code: string };
      const applied = await appliedNow(services);
      const done = await authorizeByCode(tx, services, { boot_code, applied, by: actor.name });
      for (const event of authorizationEvents(done)) audit(event);
      afterCommit(() => services.notify('pending'));
      if (done.refuse) return { refuse: done.refuse };
      const { hostname } = done.issued.attempt;
      return { status: 202, body: { ...authorizationAnswer(done.issued), hostname } };
    },
  },
  {
    page: PAGE,
    decode: (fields) => ({ boot_code: fields.text('boot_code') }),
    secret: ['boot_code'],
    done: (answer) => ({
      location: PAGE,
      flash: `${(answer.body as { hostname: string }).hostname} is authorized for one boot within ten minutes.`,
    }),
  },
);
