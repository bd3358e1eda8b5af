// xterm writes its styles into <style> elements, which `style-src 'self'` empties: text would be black on black. On this page
// whoever asks for a <style> gets an inert element whose text goes to a constructed style sheet, which the policy leaves to scripts.
// Import it before the library.

const createElement = document.createElement.bind(document);

function adoptedStyle(): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let text = '';
  return Object.defineProperty(createElement('template'), 'textContent', {
    get: () => text,
    set: (value: string) => {
      text = value;
      sheet.replaceSync(value);
    },
  });
}

document.createElement = ((name: string, options?: ElementCreationOptions) =>
  name === 'style' ? adoptedStyle() : createElement(name, options)) as typeof document.createElement;
