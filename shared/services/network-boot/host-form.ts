// The fields of the host form as a body. Variables are lines `name=value`; a name without a value removes the variable,
// and variables without a line stay.
import type { FormFields } from '../../kernel/operation/operation.ts';

export function decodeHost(fields: FormFields) {
  const chosen = (name: string) => {
    const id = fields.optional(name);
    return id === undefined ? undefined : id || null;
  };
  return {
    hostname: fields.text('hostname'),
    mac_address: fields.text('mac_address'),
    ip_address: fields.text('ip_address'),
    kickstart_id: chosen('kickstart_id'),
    media_id: chosen('media_id'),
    variables: variablesOf(fields.values.get('variables')),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  };
}

function variablesOf(text: string | null): Record<string, string | null> | undefined {
  const lines = (text ?? '').split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const cut = line.indexOf('=');
      if (cut < 0) return [line.trim(), ''];
      return [line.slice(0, cut).trim(), line.slice(cut + 1).trim() || null];
    }),
  );
}
