/** The user of a request, as the app that embeds the service knows it. */
export interface User<Claims extends object = object> {
  /** Identifies the user: 1 to 200 characters, none of them a control character. */
  readonly name: string;
  /** What the app has said of the user: members that JSON can hold. They travel in the token, which the user can read. */
  readonly claims: Readonly<Claims>;
}

/** Whether a value can be the name of a user, which logs and stores hold. */
export function isUserName(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && /^\P{Cc}{1,200}$/u.test(value);
}
