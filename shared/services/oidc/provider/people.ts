// People, as the provider knows them. Where they come from is told by who starts it: this room knows neither the accounts of the
// appliance nor the directory.

export interface Person {
  /** Id of the row as UUID: it stays, whatever the person is called. */
  sub: string;
  /** Name that is typed at the sign-in. */
  username: string;
  /** Name for people; of a user of the appliance the user name. */
  name: string;
  given_name?: string;
  family_name?: string;
  email?: string;
  /** `name@domain`, by which VCF joins people of a directory. */
  upn?: string;
  groups: readonly string[];
  /** Seconds since 1970 of the last change of the row; for `updated_at`. */
  updated_at?: number;
}

export interface SignInAttempt {
  username: string;
  password: string;
  /** Of an authenticator, or a recovery code; '' where none was typed. */
  code: string;
  source_address: string;
  request_id: string;
  client_id: string;
}

/** Who proved to be who they are, and by what (RFC 8176). */
export interface SignedIn {
  person: Person;
  amr: readonly string[];
  /** What lastEnd() said of the person before. */
  ended: string | null;
}

/** The password was right and is not enough: what else is needed, in a sentence for the page. */
export interface Wanting {
  wanting: string;
}

export interface People {
  /**
   * The person with this name and password, and a second factor where the account has one; null: refused, which was
   * counted and written down.
   * @throws Problem 429 with the seconds to wait
   */
  signIn(organization: string, attempt: SignInAttempt): Promise<SignedIn | Wanting | null>;
  /** Who still may: asked at each use of a token. Null: gone, or disabled. */
  find(organization: string, sub: string): Promise<Person | null>;
}
