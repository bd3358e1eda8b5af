// The chosen facts of an audit event, as names and values that a person reads.
import { More } from '../components/code.tsx';

/** More facts than these are folded away. */
const SHOWN = 4;

export function Detail({ detail }: { detail: Record<string, unknown> }) {
  const facts = Object.entries(detail);
  if (facts.length === 0) return null;
  const list = (
    <dl class="detail">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{inWords(value)}</dd>
        </div>
      ))}
    </dl>
  );
  return facts.length <= SHOWN ? list : <More summary={`${facts.length} facts`}>{list}</More>;
}

/** `ens224`, `yes`, `a, b`, `from 10.0.0.1 to 10.0.0.2`, `name x, role y`. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ');
  if (typeof value !== 'object') return String(value);
  const members = Object.entries(value);
  if (members.length === 0) return 'none';
  return members.map(([name, inner]) => `${name.replaceAll('_', ' ')} ${inWords(inner)}`).join(', ');
}
