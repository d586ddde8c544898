/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sanitized.h - defines SANITIZED in a build with the address, thread or memory sanitizer, which
 * has an allocator of its own and needs far more addresses than memory. gcc and clang say so
 * differently.
 */
#ifndef BASE_SANITIZED_H
#define BASE_SANITIZED_H

#if defined __has_feature /* clang */
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if !defined SANITIZED && (defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__)
#define SANITIZED
#endif

#endif
