// The bare address of the public listener leads to the public home.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'openPublicRoot',
  method: 'GET',
  path: '/',
  plane: 'public',
  access: 'public',
  openQuery: 'Mails and chats add parameters of their own to an address.',
  tag: 'Service',
  summary: 'Open the public pages',
  description: 'Leads a browser to the public pages.',
  answers: { 303: { description: 'The public home.' } },
  async run() {
    return { status: 303, headers: { location: pagePath('public') } };
  },
});
