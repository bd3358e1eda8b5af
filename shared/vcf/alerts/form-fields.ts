// Fields of the forms of receivers: those of the kind that was chosen; what stands in others counts for nothing.
import type { FormFields } from '../../kernel/operation/operation.ts';

/** Mail and syslog have fields of their own for host and port, so that a default of one is not sent for the other. */
const OF_KIND: Readonly<Record<string, (fields: FormFields) => Record<string, unknown>>> = {
  webhook: (fields) => ({ url: fields.text('url') }),
  mail: (fields) => ({
    host: fields.text('mail_host'),
    port: fields.integer('mail_port') || undefined,
    security: fields.text('security'),
    username: fields.text('username'),
    sender: fields.text('sender'),
    recipients: fields.list('recipients'),
    ...typed(fields),
  }),
  syslog: (fields) => ({
    host: fields.text('syslog_host'),
    port: fields.integer('syslog_port') || undefined,
    facility: fields.text('facility'),
  }),
};

export const receiverFields = (fields: FormFields, kind: string): Record<string, unknown> => ({
  name: fields.text('name'),
  enabled: fields.checked('enabled'),
  severity: fields.text('severity'),
  ...OF_KIND[kind]?.(fields),
});

/** Untrimmed; an empty field is no password. */
function typed({ values }: FormFields): { password?: string } {
  const password = values.get('password') ?? '';
  return password === '' ? {} : { password };
}
