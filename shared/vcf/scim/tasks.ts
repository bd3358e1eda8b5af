// The kind and the tasks of the job that pushes; the job itself is loaded where it runs.
export const SCIM_KIND = 'scim-push';

export const READ = 'read';
export const USERS = 'users';
export const GROUPS = 'groups';

export const TASKS = [
  { name: READ, title: 'Read what the target has' },
  { name: USERS, title: 'Push the users' },
  { name: GROUPS, title: 'Push the groups and their members' },
];
