// Opens a task on a remote machine in a dialog over the page that links to it, so that nothing entered there is lost. The
// task is the page that the link leads to, whose steps islands/wizard.ts takes within the dialog; without script, the link
// leads there.
import { beginWizard, type LeftTask, nothingEntered, TASK_BEHIND, TASK_LEFT } from './wizard.ts';

/** What is behind the dialog keeps its ids out of the way: those of the task count, for labels and for scripts. */
const ASIDE = 'behind-';

/** Its page is being asked for. */
let opening = false;

export function offerTaskDialog(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-dialog]');
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || document.querySelector('dialog.task')) return;
    event.preventDefault();
    // An answer that the page behind waits for would be taken for one of the task.
    if (opening || document.querySelector('[data-wizard][aria-busy="true"]')) return;
    opening = true;
    void open(link).finally(() => {
      opening = false;
    });
  });
}

async function open(link: HTMLAnchorElement): Promise<void> {
  const page = await read(link.href);
  const task = page?.querySelector<HTMLElement>('[data-wizard]');
  if (!page || !task) {
    location.assign(link.href);
    return;
  }
  const dialog = frame(page.querySelector('h1')?.textContent ?? page.title);
  dialog.querySelector('.task-body')!.append(document.adoptNode(task));
  const bringBack = setAside();
  // The first of its kind in the document is the one that counts.
  document.body.prepend(dialog);
  const end = beginWizard();
  // At once, not with the event that says so: the wizard behind it goes on with the step that the browser went back to.
  const close = () => {
    if (!dialog.isConnected) return;
    dialog.close();
    dialog.remove();
    bringBack();
    end();
    link.focus();
  };
  dialog.addEventListener('close', close);
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return;
    event.preventDefault();
    giveUp(dialog, close);
  });
  dialog.addEventListener('click', (event) => {
    const pressed = (event.target as Element).closest<HTMLElement>('a[href], button[data-close]');
    const back = dialog.querySelector<HTMLElement>('[data-wizard]')?.dataset.close;
    const ends = back !== undefined && pressed?.getAttribute('href') === back;
    if (pressed?.matches('header [data-close]')) giveUp(dialog, close);
    else if (ends || pressed?.hasAttribute('data-close')) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  dialog.addEventListener(TASK_LEFT, (event) => show(dialog, (event as CustomEvent<LeftTask>).detail));
  dialog.addEventListener(TASK_BEHIND, close);
  dialog.showModal();
  document.getElementById('step-title')?.focus();
}

/** The page of an address; null when nothing came back. */
async function read(address: string): Promise<Document | null> {
  try {
    const answer = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store' });
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    return null;
  }
}

function frame(title: string): HTMLDialogElement {
  const dialog = made('dialog', 'sheet task');
  dialog.setAttribute('aria-labelledby', 'task-title');
  const heading = made('h2', '', title);
  heading.id = 'task-title';
  const header = made('header', '');
  header.append(heading, closeButton());
  dialog.append(header, made('div', 'task-body'));
  return dialog;
}

function made<K extends keyof HTMLElementTagNameMap>(name: K, look: string, text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  element.className = look;
  element.textContent = text;
  return element;
}

function closeButton(): HTMLButtonElement {
  const button = made('button', 'btn', 'Close');
  button.type = 'button';
  button.dataset.close = '';
  return button;
}

/** Answers what brings it back. Regions that follow the appliance are known by their ids, and collide with none. */
function setAside(): () => void {
  const shell = document.querySelector<HTMLElement>('.shell');
  const named = [...document.querySelectorAll<HTMLElement>('main [id]')].filter((each) => !each.closest('[data-live]'));
  for (const each of named) each.id = ASIDE + each.id;
  if (shell) shell.inert = true;
  return () => {
    for (const each of named) each.id = each.id.slice(ASIDE.length);
    if (shell) shell.inert = false;
  };
}

/** Asks first where something was entered. What was sent is waited for: whether it changed something is not known yet. */
function giveUp(dialog: HTMLDialogElement, close: () => void): void {
  const task = dialog.querySelector<HTMLElement>('[data-wizard]');
  if (task?.getAttribute('aria-busy') === 'true') return;
  if (!task || nothingEntered(task)) close();
  else task.querySelector<HTMLDialogElement>('#discard')?.showModal();
}

/** What the task came to: its job, which has a page of its own; or a refusal that is a page of its own. */
function show(dialog: HTMLDialogElement, { page, address }: LeftTask): void {
  const body = dialog.querySelector('.task-body')!;
  const main = page.querySelector('main');
  const title = page.querySelector('h1')?.textContent ?? page.title;
  if (page.querySelector('#job') === null) {
    if (main) body.replaceChildren(...main.childNodes);
    else location.assign(address);
    return;
  }
  const heading = made('h2', '', title);
  heading.tabIndex = -1;
  const said = made('p', '', 'It runs as a job, and goes on without this dialog.');
  said.setAttribute('role', 'status');
  const follow = made('a', 'btn btn-primary', 'Follow the job');
  Object.assign(follow, { href: address, target: '_blank', rel: 'noopener' });
  const actions = made('p', 'actions');
  actions.append(follow, closeButton());
  const work = made('section', 'wizard-work');
  work.append(heading, said, actions);
  body.replaceChildren(work);
  heading.focus();
}
