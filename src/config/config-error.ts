/** A setting is missing or malformed, so that the program does not start. Its message names the setting and its source, not its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config';
}
