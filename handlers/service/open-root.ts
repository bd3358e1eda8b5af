// The bare address leads to the application.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'openRoot',
  method: 'GET',
  path: '/',
  plane: 'management',
  access: 'public',
  openQuery: 'Mails and chats add parameters of their own to an address.',
  tag: 'Service',
  summary: 'Open the application',
  description: 'Leads a browser to the application.',
  answers: { 303: { description: 'The application.' } },
  async run() {
    return { status: 303, headers: { location: pagePath('overview') } };
  },
});
