/** The address that a connection would have gone to is private. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Nothing was sent: the rules forbid the address, or what its name led to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  /** What was refused, after redirects. */
  readonly url: URL;

  constructor(url: URL, options?: ErrorOptions) {
    super(`${url.host} may not be asked`, options);
    this.url = url;
  }
}

/** An answer other than 200 that leads nowhere. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly url: URL;
  readonly status: number;

  constructor(url: URL, status: number) {
    super(`${url.host} answered ${status}`);
    this.url = url;
    this.status = status;
  }
}

/** Redirects beyond the limit. */
export class TooManyRedirectsError extends Error {
  override readonly name = 'TooManyRedirectsError';
  /** What was asked for at first. */
  readonly url: URL;

  constructor(url: URL) {
    super(`${url.host} redirects too often`);
    this.url = url;
  }
}

/** An answer compressed by what nobody here knows. */
export class UnknownEncodingError extends Error {
  override readonly name = 'UnknownEncodingError';

  constructor(encoding: string) {
    super(`the answer is compressed by '${encoding}'`);
  }
}
