/** A variable that the commands of the client read. */
export interface ClientVariable {
  readonly variable: string;
  readonly help: string;
  readonly isSecret?: true;
}

/** The variables of the client's session. `config show` and `help environment` derive from this table. */
export const clientVariables = {
  url: {
    variable: 'SHELFLIST_URL',
    help: 'The address of the service, for commands. Default: that of the last login, else http://127.0.0.1:8080.',
  },
  username: { variable: 'SHELFLIST_USERNAME', help: 'The user whose login to use.' },
  password: {
    variable: 'SHELFLIST_PASSWORD',
    help: 'The password. With the username, commands log in by themselves.',
    isSecret: true,
  },
  token: {
    variable: 'SHELFLIST_TOKEN',
    help: 'A token. It takes precedence over the one that `login` stored.',
    isSecret: true,
  },
} as const satisfies Readonly<Record<string, ClientVariable>>;
