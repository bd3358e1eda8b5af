// Light, dark or the system's theme, kept in a cookie of this browser.

import * as v from 'valibot';
import { pagePath, returnPath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

const YEAR = 31_536_000;

export const operation = defineForm(
  {
    id: 'chooseThemeForm',
    path: pagePath('theme'),
    access: { session: 'any' },
    tag: 'Authentication',
    summary: 'Choose the theme',
    description: 'Sets the theme of this browser. Changes nothing on the appliance.',
    effect: 'immediate',
    guarded: false,
    audit: 'none',
    body: v.strictObject({ theme: v.picklist(['system', 'light', 'dark']) }),
    async run({ body, request }) {
      const secure = request.secure ? '; Secure' : '';
      return { cookies: [`groundcrew_theme=${body.theme}; Path=/; Max-Age=${YEAR}; SameSite=Lax; HttpOnly${secure}`] };
    },
  },
  {
    page: pagePath('overview'),
    decode: (fields) => ({ theme: fields.text('theme') }),
    done: (_answer, fields) => ({
      location: returnPath(fields.text('return_to')),
    }),
  },
);
