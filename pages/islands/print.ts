// On paper all that is folded is open: by style where the browser can do that, else by opening it for the time of printing.
export function openForPrint(): void {
  if (CSS.supports('selector(::details-content)')) return;
  const opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')) {
      fold.open = true;
      opened.push(fold);
    }
  });
  addEventListener('afterprint', () => {
    for (const fold of opened.splice(0)) fold.open = false;
  });
}
