/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Thrown for an image that does not have the structure of its format. */
export class MalformedImageError extends Error {
  override readonly name = 'MalformedImageError';
}

/** Bytes that {@link ImageCopy.add} may add beyond the size of the image. */
const ROOM = 64;
/** Maximum number of parts, because each takes time; more than any program writes into 5 MiB. */
const MOST_PARTS = 20_000;

/**
 * Builds a copy of an image: its parts are read in order, and each is kept or skipped. Offsets are
 * relative to the current position. Each method throws MalformedImageError if too few bytes are
 * left.
 */
export class ImageCopy {
  readonly #bytes: Buffer;
  readonly #copy: Buffer;
  #at = 0;
  #length = 0;
  #parts = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#copy = Buffer.allocUnsafe(bytes.length + ROOM);
  }

  /** The number of bytes left. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(offset: number): number {
    this.#demand(offset + 1);
    return this.#bytes[this.#at + offset];
  }

  text(offset: number, length: number): string {
    return this.peek(offset + length).toString('latin1', offset);
  }

  uint16BE(offset: number): number {
    this.#demand(offset + 2);
    return this.#bytes.readUInt16BE(this.#at + offset);
  }

  uint16LE(offset: number): number {
    this.#demand(offset + 2);
    return this.#bytes.readUInt16LE(this.#at + offset);
  }

  uint32BE(offset: number): number {
    this.#demand(offset + 4);
    return this.#bytes.readUInt32BE(this.#at + offset);
  }

  uint32LE(offset: number): number {
    this.#demand(offset + 4);
    return this.#bytes.readUInt32LE(this.#at + offset);
  }

  /** Returns the next bytes without copying or consuming them. */
  peek(count: number): Buffer {
    this.#demand(count);
    return this.#bytes.subarray(this.#at, this.#at + count);
  }

  keep(count: number): void {
    this.#take(count);
    this.#length += this.#bytes.copy(
      this.#copy,
      this.#length,
      this.#at - count,
      this.#at,
    );
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Adds bytes that are not in the image: in total, at most 64 more than were skipped. */
  add(bytes: Buffer): void {
    this.#length += bytes.copy(this.#copy, this.#length);
  }

  /** Returns all bytes kept and added so far. */
  kept(): Buffer {
    return this.#copy.subarray(0, this.#length);
  }

  #take(count: number): void {
    this.#demand(count);
    this.#at += count;
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) {
      throw new MalformedImageError('The image has too many parts');
    }
  }

  #demand(count: number): void {
    if (count > this.left) {
      throw new MalformedImageError('The image ends too early');
    }
  }
}
