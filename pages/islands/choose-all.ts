// Buttons that choose all boxes of a list or none, `data-choose` naming the boxes; hidden until this script is here.
import { nowAndAfterSwaps } from './swapped.ts';

export function offerChooseAll(): void {
  nowAndAfterSwaps(() => {
    for (const bar of document.querySelectorAll<HTMLElement>('[data-choose]')) bar.hidden = false;
  });
  document.addEventListener('click', (click) => {
    const button = (click.target as Element).closest<HTMLButtonElement>('[data-choose] button');
    const name = button?.closest<HTMLElement>('[data-choose]')?.dataset.choose;
    if (!button || !name) return;
    const boxes = button.form?.querySelectorAll<HTMLInputElement>(`input[type="checkbox"][name="${name}"]`) ?? [];
    for (const box of boxes) box.checked = button.value === 'all';
  });
}
