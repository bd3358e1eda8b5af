// In what the saved host differs from the applied one, side by side.
import type { Difference } from '../../shared/services/network-boot/boot/drift.ts';
import { Scroll } from '../components/scroll.tsx';

export function DriftTable({ hostname, drift }: { hostname: string; drift: readonly Difference[] }) {
  return (
    <Scroll class="diff" label={`Drift of ${hostname}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">In force</th>
            <th scope="col">Saved</th>
          </tr>
        </thead>
        <tbody>
          {drift.map(({ member, label, saved, applied }) => (
            <tr key={member}>
              <th scope="row">{label}</th>
              <td>
                <del>{applied}</del>
              </td>
              <td>
                <ins>{saved}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
