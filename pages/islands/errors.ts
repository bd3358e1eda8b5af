// After a refused form the focus stands on what was refused, so that a screen reader says it and Tab goes on from there.
export function focusRefusal(): void {
  document.querySelector<HTMLElement>('main [role="alert"][tabindex="-1"]')?.focus();
}
